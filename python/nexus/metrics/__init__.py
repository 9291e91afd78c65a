"""What an operator can measure, in the form Prometheus reads.

Requests are counted in the process that serves them. Ingestion is counted in Redis, where
workers on any machine add up; states and queue are asked for when somebody looks.
"""
