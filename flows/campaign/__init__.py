"""A campaign: its file, the stages of its run, what a run keeps of earlier ones.

* the file                  config, config_sources, config_measures, gate_measures, declared
* from it to the tasks      found, tagsets, category_distances, layers, sharding, plan
* the run                   run, measure, ledger, reporting
* documents that kill       killed_batches, isolation
* earlier runs              history, since, standing
* stages of their own       the room `stages`
* reference, adjudication   reference, the room `adjudication`
"""
