/** A piece of work that stands in the database. */
export interface StoredJob {
  /** Unique in its store. */
  readonly id: string | number
}

/** A job that this process holds by a lease: no other process works on it until the lease ends. */
export interface Claim {
  /** Attempts so far, this one included; 1 where a store does not count them. */
  readonly attempts: number
  /** Prolongs the lease. False once another process has the job, or when it is to stop. */
  keep(): Promise<boolean>
  /** Ends the job. Refused, and false, once another process has it. */
  done(): Promise<boolean>
  /**
   * Gives the job back after a failure, until `at` (unix seconds); without `at` as its store does it: at the end of the lease, or in the
   * next period. Refused, and false, once another process has it.
   */
  fail(failure: { readonly at: number | undefined; readonly reason: string }): Promise<boolean>
}

/** Jobs of one kind, in the database, for all nodes. */
export interface JobStore<J extends StoredJob, C extends Claim> {
  /** Free jobs that are due, the longest due first. */
  due(most: number): Promise<readonly J[]>
  /** Takes a job by one conditional update; undefined where another process was quicker. */
  claim(job: J): Promise<C | undefined>
}
