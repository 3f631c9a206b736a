import { directoryPlace } from './directory.ts'
import { s3Place } from './s3.ts'
import type { StoragePlace } from './storage-place.ts'

/**
 * Opens a folder, or `s3://bucket/prefix` with the environment of S3 (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_REGION`, `AWS_ENDPOINT_URL`). @throws Error where a variable is missing.
 */
export const openPlace = (address: string, environment: NodeJS.ProcessEnv): StoragePlace =>
  address.startsWith('s3://') ? s3Place(address, environment) : directoryPlace(address)
