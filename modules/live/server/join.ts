import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { liveRoutes } from './routes.ts'

/** Joins the picture of the present to the reports of nodes and the states of channels. */
export const join: JoinModule = ({ on, monitoring, attention, clock }) => {
  liveRoutes(on, { nodes: monitoring.liveNodes, channels: monitoring.channels, attention, clock })
  return {}
}
