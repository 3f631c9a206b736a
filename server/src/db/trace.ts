/** A change with its actor and object, which features hand to the audit trail inside the transaction of the change. */
export interface Trace {
  readonly actor: { readonly id: number; readonly username: string }
  /** `<noun>.<verb>`, e.g. `channel.update`. */
  readonly action: string
  readonly object: string
  readonly objectId: number | string
  /** Absent for something made. */
  readonly before?: Readonly<Record<string, unknown>>
  /** Absent for something removed. */
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string
}
