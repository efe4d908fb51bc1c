"""The application of Horizon, as Debian installs it, with the testbed's Keystone. uWSGI runs it.

Horizon reads its settings below `/etc`, where only Debian's packages write files. So the differences are set here.
"""

import os

from django.core.wsgi import get_wsgi_application
from openstack_dashboard import settings

settings.ALLOWED_HOSTS = ["127.0.0.1"]
settings.OPENSTACK_KEYSTONE_URL = "http://127.0.0.1:5000/v3"
os.environ["DJANGO_SETTINGS_MODULE"] = settings.__name__

application = get_wsgi_application()
