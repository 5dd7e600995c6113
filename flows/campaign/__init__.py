"""A campaign: its file, the stages of its run, what a run keeps of earlier ones.

* the file                  config, config_sources, config_measures, gate_measures, declared
* from it to the tasks      found, tagsets, layers, sharding, plan
* the run                   run, measure, ledger, reporting
* stages of their own       chance_rounds, reading_grid, relations, validity
* documents that kill       killed_batches, isolation
* earlier runs              history, since, standing
* reference, adjudication   reference, decisions, tool_decisions, adjudicate
"""
