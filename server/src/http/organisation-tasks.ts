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

/** Reads of one kind of tasks. */
interface TaskReads<Query, Page> {
  browse(reader: ReadableTasks['reader'], query: Query): Promise<Page>
  keysOf(rows: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
}

/** Answers a call for the tasks of one kind in an organisation. */
export const organisationPage =
  <Query, Page extends { readonly items: readonly { readonly id: number }[] }>(
    organisationTasks: OrganisationTasks,
    reads: TaskReads<Query, Page>,
  ) =>
  async (call: {
    readonly params: { readonly id: number }
    readonly query: Query & { readonly project_id: number; readonly member_id: number }
    readonly caller: { readonly id: number }
  }) => {
    const { reader, placed } = await organisationTasks(call.params.id, call.caller.id, call.query)
    const page = await reads.browse(reader, call.query)
    const rows: Page['items'] = page.items
    return { data: { ...page, items: placed<Page['items'][number]>(rows, await reads.keysOf(rows)) } }
  }
