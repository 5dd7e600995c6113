"""Writers: references and disagreements in the formats of annotation tools."""
