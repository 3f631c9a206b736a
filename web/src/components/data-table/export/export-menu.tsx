import { Button } from '@mantine/core'
import { Icon } from '../../display/icon.tsx'
import { Menu } from '../../menu/menu.tsx'
import type { MenuEntry } from '../../menu/menu-entry.ts'
import { useUiMessages } from '../../messages.ts'
import type { ExportFormat } from './export-rows.ts'
import type { TableExports } from './table-exports.ts'

const ExportButton = (props: { entries: () => readonly MenuEntry[]; variant?: string }) => {
  const say = useUiMessages()
  return (
    <Menu
      button={(buttonProps) => (
        <Button
          {...(props.variant ? { variant: props.variant } : {})}
          leftSection={<Icon name="download" size={14} />}
          {...buttonProps}
        >
          {say('export')}
        </Button>
      )}
      entries={props.entries}
    />
  )
}

/** Exports the page, or everything that fits the filters. */
export const ExportMenu = <Row,>({ exports }: { exports: TableExports<Row> }) => {
  const say = useUiMessages()
  const { page, all } = exports
  return (
    <ExportButton
      variant="subtle"
      entries={() => [
        { label: say('exportCsv'), onClick: () => page('csv') },
        { label: say('exportJson'), onClick: () => page('json') },
        ...(all
          ? [
              { label: say('exportAllCsv'), onClick: () => all('csv') },
              { label: say('exportAllJson'), onClick: () => all('json') },
            ]
          : []),
      ]}
    />
  )
}

/** Exports the chosen rows. */
export const ExportChosen = ({ onExport }: { onExport: (format: ExportFormat) => void }) => {
  const say = useUiMessages()
  return (
    <ExportButton
      entries={() => [
        { label: say('exportAsCsv'), onClick: () => onExport('csv') },
        { label: say('exportAsJson'), onClick: () => onExport('json') },
      ]}
    />
  )
}
