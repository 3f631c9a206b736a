import type { Callable } from 'virtual:contract'
import type { DataOf } from '../../lib/api/contract.ts'
import type { Pair } from '../../lib/i18n.ts'

/** A task that a key of the organisation began, as far as all kinds have the same. */
export interface OrganisationTaskRow {
  readonly id: number
  /** Unix seconds. */
  readonly at: number
  readonly action: string
  /** The prompt of a drawing, else the id at the provider. */
  readonly text: string
  readonly progress: string
  readonly failed: boolean
  /** Quota units. */
  readonly quota: number
  /** 0 where the project is not known any more. */
  readonly project_id: number
  /** 0 for a machine. */
  readonly member_id: number
}

export interface OrganisationTaskPage {
  readonly items: readonly OrganisationTaskRow[]
  readonly total: number
}

/** A kind of tasks on the page of an organisation: `web/organisation-tasks.ts` of a module lists its own. */
export interface OrganisationTaskKind<Entry = unknown> {
  /** `?kind=` in the address; the first kind is shown without it. */
  readonly name: string
  readonly title: Pair
  /** Among the kinds, the lowest first. */
  readonly position: number
  /** Its call takes the id of the organisation in the path, and pages, project and member in the query. */
  readonly list: Callable<Entry>
  pageOf(answer: DataOf<Entry>): OrganisationTaskPage
}

/** A kind whose rows have the fields of `OrganisationTaskRow` but for the time and the text. */
export const organisationTaskRow = (
  row: Omit<OrganisationTaskRow, 'at' | 'text' | 'failed'> & { readonly status: string },
  shown: Pick<OrganisationTaskRow, 'at' | 'text'>,
): OrganisationTaskRow => {
  const { id, action, progress, status, quota, project_id, member_id } = row
  return { id, action, progress, quota, project_id, member_id, failed: status === 'FAILURE', ...shown }
}
