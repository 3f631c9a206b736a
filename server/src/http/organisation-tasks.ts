/** Tasks that a person may read in an organisation, with the project and the member of each. */
export interface ReadableTasks {
  /** All that the wallet paid, or what some of its keys began. */
  readonly reader: { readonly userId: number; readonly tokenIds?: readonly number[] }
  /** Rows with project and member; `keys` are the keys that began them. */
  placed<Row extends { readonly id: number }>(
    rows: readonly Row[],
    keys: ReadonlyMap<number, number>,
  ): (Row & { project_id: number; member_id: number })[]
}

/** Tasks of an organisation that a person may read, narrowed to a project and a member (0 for any). Throws `not_found`. */
export type OrganisationTasks = (
  organisationId: number,
  personId: number,
  filter: { readonly project_id: number; readonly member_id: number },
) => Promise<ReadableTasks>
