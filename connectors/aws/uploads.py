"""Uploads of objects in parts that are not going to be completed."""

from __future__ import annotations

from typing import Any

import botocore.exceptions

_GONE = ("NoSuchUpload", "NoSuchKey", "404")


def abort_upload(s3: Any, bucket: str, key: str, upload: str) -> None:
    """Aborts an upload, which removes the parts uploaded so far (the bucket's owner pays for parts that stay). Does
    nothing where the upload is gone already. May raise AwsFailure."""
    try:
        s3.abort_multipart_upload(Bucket=bucket, Key=key, UploadId=upload)
    except botocore.exceptions.ClientError as error:
        if not is_gone(error) and error_code(error) != "NoSuchBucket":
            raise


def is_gone(error: botocore.exceptions.ClientError) -> bool:
    """Tells whether an error says that the requested object or upload does not exist, though the bucket does."""
    return error_code(error) in _GONE


def error_code(error: botocore.exceptions.ClientError) -> str:
    """Returns Amazon's code of the error in an answer."""
    return str(error.response.get("Error", {}).get("Code", ""))
