import { getNeighbours, getSystemInfo, type Neighbours, type SystemInfo } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

/** What operators want to know of the node that answers, and of the gateways beside it. */
export const systemRoutes = (on: On, info: SystemInfo, neighbours: () => Neighbours): void => {
  on(getSystemInfo, () => ({ data: info }))
  on(getNeighbours, () => ({ data: neighbours() }))
}
