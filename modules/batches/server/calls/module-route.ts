import type { JoinedModule } from '#server/app/modules/module-kit.ts'

export type ModuleRoute = NonNullable<JoinedModule['calls']>[number]
export type ModuleCall = Parameters<ModuleRoute['answer']>[0]
