import { useRouter } from '@tanstack/react-router'
import { useSession } from '../../lib/api/session.ts'
import { useStatus } from '../../lib/status.ts'
import { type NavigationEntry, openPages } from '../navigation.ts'

/** The pages that the reader may open, for the palette, the sheet and `g` jumps. */
export const useReachable = (): readonly NavigationEntry[] => {
  const status = useStatus()
  const user = useSession()
  return openPages(useRouter().routesByPath, status, user)
}
