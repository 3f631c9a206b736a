import type { Facet, FacetOption } from '../../../components/data-table/columns/column.ts'
import { calls, type LogEntry } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useIsStaff } from '../../../lib/api/staff.ts'
import { useEndpoint } from '../../../lib/query.ts'
import type { LogFilterName } from '../filters.ts'
import { useLogMessages } from '../messages.ts'

interface Named {
  readonly id: number
  readonly name: string
}

type Filters = Readonly<Partial<Record<LogFilterName, string>>>

/** Columns and filters about organisations that the reader sees; none for users outside of organisations. */
export interface ShownPlaces {
  readonly tags: boolean
  /** Shown once a call on the page names an end user, or one is asked for. */
  readonly endUsers: boolean
  /** Organisation, project and member, for operators of a site that has organisations. */
  readonly places: boolean
}

export const useShownPlaces = (isAdmin: boolean, rows: readonly LogEntry[], filters: Filters): ShownPlaces => {
  const belongs = useSession()?.organisations === 'belongs'
  const { tag, end_user: endUser } = filters
  const tagged = tag !== undefined || rows.some(({ tags }) => tags !== undefined)
  const endUsers = endUser !== undefined || rows.some(({ end_user: id }) => id !== undefined)
  return {
    tags: belongs || tagged,
    endUsers,
    places: isAdmin && (belongs || rows.some(({ place }) => place !== undefined)),
  }
}

const optionsOf = (...some: readonly (readonly Named[])[]): FacetOption[] => [
  ...new Map(some.flat().map(({ id, name }) => [id, { value: String(id), label: name }])).values(),
]

/** Filters by organisation, project, member and tag; projects and members are those of the chosen organisation, or of the page. */
export const usePlaceFacets = (
  shown: ShownPlaces,
  rows: readonly LogEntry[],
  filters: Filters,
): readonly Facet<LogFilterName>[] => {
  const say = useLogMessages()
  const readsAll = useIsStaff('organisations') && shown.places
  const organisations = useEndpoint(calls.listSiteOrganisations, { query: {} }, { enabled: readsAll }).data ?? []
  const id = Number(filters.organisation_id ?? 0)
  const chosen = useEndpoint(calls.getSiteOrganisation, { params: { id } }, { enabled: readsAll && id > 0 }).data
  const own = chosen?.id === id ? chosen : undefined
  const places = rows.flatMap(({ place }) => (place ? [place] : []))
  const members = own?.members.map(({ user_id, display_name, username }) => ({
    id: user_id,
    name: display_name || username,
  }))
  const choice = (id: LogFilterName, label: string, options: FacetOption[]) =>
    ({ kind: 'choice', id, label, single: true, options }) as const
  return [
    ...(shown.places
      ? [
          choice(
            'organisation_id',
            say('organisation'),
            optionsOf(
              organisations,
              places.map(({ organisation }) => organisation),
            ),
          ),
          choice(
            'project_id',
            say('project'),
            optionsOf(
              own?.projects ?? [],
              places.map(({ project }) => project),
            ),
          ),
          choice(
            'member_id',
            say('member'),
            optionsOf(
              members ?? [],
              places.flatMap(({ member }) => (member ? [member] : [])),
              [{ id: 0, name: say('machine') }],
            ),
          ),
        ]
      : []),
    ...(shown.tags ? [{ kind: 'text', id: 'tag', label: say('tags'), placeholder: 'env=test' } as const] : []),
    ...(shown.endUsers
      ? [{ kind: 'text', id: 'end_user', label: say('endUser'), placeholder: say('endUserId') } as const]
      : []),
  ]
}
