import type { ModuleCommand } from '#server/app/modules/module-command.ts'

export const commands: readonly ModuleCommand[] = [
  {
    name: 'import',
    position: 1,
    summary: 'moves the database of new-api, one-api or LiteLLM into this gateway',
    load: async () => {
      const { runImportCommand } = await import('./import-command.ts')
      return (args) => runImportCommand(args)
    },
  },
]
