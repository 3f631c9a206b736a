import { useParams } from '@tanstack/react-router'
import { calls, role, type Token } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { isStaffNow, roleIn } from '../../../lib/api/staff.ts'
import type { FirstRead } from '../../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'

const ofUser = (userId: number, id: number) =>
  ({ params: { id: userId }, query: { ids: String(id), page_size: 1 } }) as never

/** Administrators open the key of another user with `?user=`; all others their own. */
const ownerOf = (search: { readonly user?: string | undefined }, isAdmin: boolean): number | undefined => {
  const id = Number(search.user)
  return isAdmin && Number.isSafeInteger(id) && id > 0 ? id : undefined
}

export const firstRead: FirstRead = (read, search, { id }) => {
  const owner = ownerOf(search, isStaffNow('users'))
  if (owner === undefined) read(calls.getToken, { params: { id: Number(id) } })
  else read(calls.listUserTokens, ofUser(owner, Number(id)))
}

/** The key that the address names. */
export interface ShownKey {
  readonly id: number
  /** Id of its user where it is not the reader's own. */
  readonly owner: number | undefined
  /** undefined while it loads, null where there is none. */
  readonly token: Token | undefined | null
  readonly error: unknown
  retry(): void
}

/** Reads the key of the address. */
export const useShownKey = (): ShownKey => {
  const params = useParams({ strict: false })
  const id = Number(params.id)
  const [search] = useSearchParams()
  const session = useSession()
  const named = ownerOf(search, roleIn(session, 'users') >= role.admin)
  const owner = named === session?.id ? undefined : named
  const own = useEndpoint(calls.getToken, { params: { id } }, { enabled: owner === undefined, staleTimeMs: 5000 })
  const others = useEndpoint(calls.listUserTokens, ofUser(owner ?? 0, id), {
    enabled: owner !== undefined,
    staleTimeMs: 5000,
  })
  const read = owner === undefined ? own : others
  const found = owner === undefined ? own.data : others.data && (others.data.items[0] ?? null)
  // Another key's answer stays while this one is on its way.
  const token = found && found.id !== id ? undefined : found
  return { id, owner, token, error: read.error, retry: () => void read.refetch() }
}
