import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Old months of the log, moved to Parquet files in a folder or a bucket, which the log goes on to read. */
export const module = {
  areas: [],
  variables: ['LOG_ARCHIVE_TO'],
  logEvents: {
    log_archive_failed: 'Old months of the log could not be archived; it is tried again.',
    log_archive_unavailable:
      'The option for archiving the log is on, but the package `@duckdb/node-api` is not installed; nothing is archived.',
    log_archive_unread: 'A list of the log could not read archived months; the list says so.',
    log_archived: 'Rows of the log were written to a file, read back and deleted from the database.',
  },
  errors: {},
} as const satisfies ModuleData
