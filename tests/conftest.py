"""How all tests run: no clock decides, and a red run can be run again."""

from hypothesis import HealthCheck, settings

settings.register_profile("veracity", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("veracity")
