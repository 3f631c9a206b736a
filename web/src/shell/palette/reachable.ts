import { useRouter } from '@tanstack/react-router'
import { useSession } from '../../lib/api/session.ts'
import { useStatus } from '../../lib/status.ts'
import { homePlace, type NavigationEntry, visibleGroups } from '../navigation.ts'

/** The places that the signed-in person can go to, for the palette, the sheet and `g` jumps. */
export const useReachable = (): readonly NavigationEntry[] => {
  const status = useStatus()
  const user = useSession()
  const routes = useRouter().routesByPath
  const groups = user ? visibleGroups(routes, status, user) : []
  return [homePlace, ...groups.flatMap((group) => group.places)]
}
