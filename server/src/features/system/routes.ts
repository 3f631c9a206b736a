import { getNeighbours, getSystemInfo, type Neighbours, type SystemInfo } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

/** Facts about the answering node, and about the gateways beside it, for operators. */
export const systemRoutes = (on: On, info: SystemInfo, neighbours: () => Neighbours): void => {
  on(getSystemInfo, () => ({ data: info }))
  on(getNeighbours, () => ({ data: neighbours() }))
}
