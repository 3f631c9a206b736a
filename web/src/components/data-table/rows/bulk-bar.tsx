import { ActionIcon, Button } from '@mantine/core'
import { useReadOnly } from '../../../lib/api/staff.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { Icon } from '../../display/icon.tsx'
import { Menu } from '../../menu/menu.tsx'
import { useUiMessages } from '../../messages.ts'
import type { BulkAction, Matching } from '../columns/column.ts'
import classes from '../data-table.module.css'
import { ExportChosen } from '../export/export-menu.tsx'
import type { TableExports } from '../export/table-exports.ts'
import type { MatchingChoice } from './matching.ts'

export interface BulkBarProps<Row> {
  selected: readonly Row[]
  bulkActions: readonly BulkAction<Row>[]
  matching: MatchingChoice
  exports: TableExports<Row>
  onClear: () => void
}

const countOf = ({ count, capped }: Matching): string => `${formatInteger(count)}${capped ? '+' : ''}`

/** The actions on the selected rows, or on all rows that match. */
export const BulkBar = <Row,>({ selected, bulkActions, matching, exports, onClear }: BulkBarProps<Row>) => {
  const say = useUiMessages()
  const isReadOnly = useReadOnly()
  const { chosen, offered } = matching
  if (selected.length === 0) return null
  const label = chosen
    ? say('matchingSelected', { count: countOf(chosen) })
    : say('selected', { count: selected.length })
  const possible = bulkActions.filter(({ onMatching }) => !chosen || onMatching)
  const act = (action: BulkAction<Row>): void =>
    chosen ? action.onMatching?.(chosen, onClear) : action.onClick(selected, onClear)
  const more = possible.filter((action) => action.more)
  const buttons = possible
    .filter((action) => !action.more)
    .map((action) => (
      <Button
        key={action.label}
        leftSection={action.icon && <Icon name={action.icon} size={14} />}
        {...(action.danger ? { color: 'bad' } : {})}
        onClick={() => act(action)}
        {...(isReadOnly ? { disabled: true, title: say('readOnly') } : {})}
      >
        {action.label}
      </Button>
    ))
  const { all } = exports
  return (
    <div className={classes.bulk} role="toolbar" aria-label={label}>
      <ActionIcon variant="subtle" aria-label={say('clearSelection')} title={say('clearSelection')} onClick={onClear}>
        <Icon name="close" size={14} />
      </ActionIcon>
      <span aria-live="polite">{label}</span>
      {offered && (
        <button type="button" className="text-button" onClick={matching.choose}>
          {say('selectMatching', { count: countOf(offered) })}
        </button>
      )}
      {buttons}
      {more.length > 0 && !isReadOnly && (
        <Menu
          button={(buttonProps) => (
            <Button rightSection={<Icon name="down" size={12} />} {...buttonProps}>
              {say('more')}
            </Button>
          )}
          entries={() =>
            more.map((action) => ({
              label: action.label,
              onClick: () => act(action),
              ...(action.icon ? { icon: action.icon } : {}),
            }))
          }
        />
      )}
      {chosen === undefined && <ExportChosen onExport={(format) => exports.picked(selected, format)} />}
      {chosen && all && <ExportChosen onExport={all} />}
    </div>
  )
}
