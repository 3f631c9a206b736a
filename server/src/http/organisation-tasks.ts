/** Whose tasks a person reads in an organisation, and of which project and member each is. */
export interface ReadableTasks {
  /** All that the wallet paid, or what some of its keys began. */
  readonly reader: { readonly userId: number; readonly tokenIds?: readonly number[] }
  /** Rows with project and member; `keys` are the keys that began them. */
  placed<Row extends { readonly id: number }>(
    rows: readonly Row[],
    keys: ReadonlyMap<number, number>,
  ): (Row & { project_id: number; member_id: number })[]
}

/** What of an organisation a person reads, narrowed to a project and a member (0 for any). Throws `not_found`. */
export type OrganisationTasks = (
  organisationId: number,
  personId: number,
  filter: { readonly project_id: number; readonly member_id: number },
) => Promise<ReadableTasks>
