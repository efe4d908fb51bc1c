"""Fake volumes that store nothing, on a backend of 10,000 GiB. Run as a program, it is cinder-volume."""

import sys

from cinder.tests import fake_driver

CAPACITY = 10000


class Volumes(fake_driver.FakeLoggingVolumeDriver):
    """A fake driver; unlike Cinder's own fake, it supports images and growth, its own name, and free capacity."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.backend_name = self.configuration.safe_get("volume_backend_name")

    def clone_image(self, context, volume, image_location, image_meta, image_service):
        return {}, True

    def copy_image_to_volume(self, context, volume, image_service, image_id, disable_sparse=False):
        pass

    def copy_volume_to_image(self, context, volume, image_service, image_meta):
        pass

    def extend_volume(self, volume, new_size):
        pass

    def _update_volume_stats(self):
        super()._update_volume_stats()
        for pool in self._stats["pools"]:
            pool.update(total_capacity_gb=CAPACITY, free_capacity_gb=CAPACITY, reserved_percentage=0,
                        thin_provisioning_support=True, max_over_subscription_ratio=1.0, multiattach=True)


if __name__ == "__main__":
    sys.argv[0] = "cinder-volume"
    from cinder.cmd import volume

    volume.main()
