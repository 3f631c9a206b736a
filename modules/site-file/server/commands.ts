import type { ModuleCommand } from '#server/app/modules/module-command.ts'

export const commands: readonly ModuleCommand[] = [
  {
    name: 'export',
    position: 10,
    summary: 'prints channels, models, groups, options and prices of a running site as a file',
    load: async () => {
      const { runExportCommand } = await import('./export-command.ts')
      return (args) => runExportCommand(args)
    },
  },
  {
    name: 'apply',
    position: 11,
    summary: 'makes a running site as a file says, or tells how they differ',
    load: async () => {
      const { runApplyCommand } = await import('./apply-command.ts')
      return (args) => runApplyCommand(args)
    },
  },
]
