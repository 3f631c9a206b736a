import { getSystemInfo, type SystemInfo } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

/** What operators want to know of the node that answers. */
export const systemRoutes = (on: On, info: SystemInfo): void => {
  on(getSystemInfo, () => ({ data: info }))
}
