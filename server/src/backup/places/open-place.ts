import { directoryPlace } from './directory.ts'
import type { BackupPlace } from './place.ts'
import { s3Place } from './s3.ts'

/**
 * Opens a folder, or `s3://bucket/prefix` with the environment of S3 (`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_REGION`, `AWS_ENDPOINT_URL`). @throws Error where a variable is missing.
 */
export const openPlace = (address: string, environment: NodeJS.ProcessEnv): BackupPlace =>
  address.startsWith('s3://') ? s3Place(address, environment) : directoryPlace(address)
