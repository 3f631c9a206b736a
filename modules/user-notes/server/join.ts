import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { noteRoutes } from './routes.ts'

export const join: JoinModule = (kit) => {
  noteRoutes(kit)
  return {}
}
