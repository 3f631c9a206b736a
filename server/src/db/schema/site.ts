import type { Flag, Id, Time } from './columns.ts'

/** Jobs that one node runs for all: the running node and its progress. */
export interface ClusterJobsTable {
  name: string
  /** Random id of the run; empty while no node runs the job. */
  run: string
  /** The run counts as dead after that, unix seconds. */
  alive_until: Time
  started_time: Time
  finished_time: Time
  done: number
  total: number
  /** JSON: the result so far. */
  result: string
  stop_requested: Flag
}

export interface OptionsTable {
  key: string
  value: string
}

/** Changes with their actor, object, and values before and after; never holds secrets. */
export interface AuditTable {
  id: Id
  created_at: Time
  actor_id: number
  actor_name: string
  action: string
  object: string
  object_id: string
  before: string
  after: string
  ip: string
}

/** A process that serves from this database, see `neighbours/signs-of-life.ts`. */
export interface SignsOfLifeTable {
  /** Drawn at each start. */
  process: string
  node: string
  /** Identifies the Redis or the data folder that holds the reservations. */
  store: string
  /** Unix milliseconds by the clock of the database, as is the last; of one that waits for another to end, its last sign. */
  started_time: Time
  last_time: Time
}

/** Backups that were written, and attempts that failed. */
export interface BackupRunsTable {
  id: Id
  outcome: 'written' | 'failed'
  time: Time
  /** Folder or bucket. */
  place: string
  /** Name of the backup, or why the attempt failed. */
  detail: string
}

/** Options, jobs, backups, audit and nodes of the site. */
export interface SiteTables {
  backup_runs: BackupRunsTable
  signs_of_life: SignsOfLifeTable
  cluster_jobs: ClusterJobsTable
  options: OptionsTable
  audit: AuditTable
}
