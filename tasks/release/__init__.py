"""What a release audit publishes beside the report: data, and the documents that describe them."""
