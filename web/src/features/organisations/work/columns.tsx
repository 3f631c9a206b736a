import type { Column } from '../../../components/data-table/columns/column.ts'
import { CallQuota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import type { Organisation } from '../../../lib/api/contract.ts'
import { isoTime } from '../../../lib/text/iso-time.ts'
import { memberName } from '../member-text.ts'
import type { SayOrganisation } from '../messages.ts'

/** Work of an organisation's key: a call, a drawing or another task. */
interface Work {
  /** 0 where the project is not known any more. */
  readonly project_id: number
  /** 0 for a machine. */
  readonly member_id: number
  /** Quota units. */
  readonly quota: number
}

/** When it was; `atOf` in unix seconds. */
export const timeColumn = <Row extends Work>(id: string, header: string, atOf: (row: Row) => number): Column<Row> => ({
  id,
  header,
  cell: (row) => <TimeText at={atOf(row)} brief />,
  value: (row) => isoTime(atOf(row)),
})

/** The project and the member whose key it was. */
export const placeColumns = <Row extends Work>(
  { projects, members }: Organisation,
  say: SayOrganisation,
): readonly Column<Row>[] => {
  const projectName = ({ project_id }: Row): string | undefined => projects.find(({ id }) => id === project_id)?.name
  const nameOf = ({ project_id, member_id }: Row): string =>
    project_id === 0 ? '—' : memberName(members, member_id, say)
  return [
    {
      id: 'project',
      header: say('project'),
      most: 180,
      cell: (row) => projectName(row) ?? '—',
      value: (row) => projectName(row) ?? '',
    },
    { id: 'member', header: say('member'), most: 160, cell: nameOf, value: nameOf },
  ]
}

export const costColumn = <Row extends Work>(say: SayOrganisation): Column<Row> => ({
  id: 'quota',
  header: say('cost'),
  align: 'right',
  card: 'amount',
  cell: (row) => <CallQuota value={row.quota} />,
  value: (row) => row.quota,
  money: true,
  sum: true,
})
