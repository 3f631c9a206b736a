import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { fileRoutes } from './routes.ts'

/** Joins the calls of clients about files. */
export const join: JoinModule = ({ keptFiles, clock }) => ({ calls: fileRoutes(keptFiles, clock) })
