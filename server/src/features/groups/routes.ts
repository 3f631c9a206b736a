import { getOwnGroups, listGroups, listUsableGroups } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { Groups } from './groups.ts'

/** Lists of groups. */
export const groupRoutes = (on: On, groups: Groups): void => {
  on(getOwnGroups, ({ caller }) => ({ data: groups.usableGroups(caller.group) }))
  on(listUsableGroups, () => ({ data: groups.usableGroups('') }))
  on(listGroups, () => ({ data: groups.names() }))
}
