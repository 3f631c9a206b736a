import { ActionIcon, Button, Checkbox, Popover, SegmentedControl } from '@mantine/core'
import { Icon } from '../icon.tsx'
import { useUiWords } from '../messages.ts'
import type { Column } from './column.ts'
import classes from './data-table.module.css'
import type { TablePreferences } from './preferences.ts'

/** Shows, hides and orders columns, and sets the row height. The first column always stays. */
export const ColumnManager = <Row,>(props: { columns: readonly Column<Row>[]; preferences: TablePreferences }) => {
  const say = useUiWords()
  const { preferences } = props
  const first = props.columns[0]?.id
  const movable = preferences.order.filter((id) => id !== first)
  const headerOf = (id: string): string => props.columns.find((column) => column.id === id)?.header ?? id
  return (
    <Popover position="bottom-end" trapFocus returnFocus width={300}>
      <Popover.Target>
        <Button variant="subtle" leftSection={<Icon name="columns" size={14} />}>
          {say('columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={say('columnsTitle')}>
        <div className={classes.managerHead}>
          <strong className="strong">{say('columnsTitle')}</strong>
          <button type="button" className="text-button" onClick={preferences.reset}>
            {say('resetColumns')}
          </button>
        </div>
        <ul className={classes.managerList}>
          {movable.map((id, index) => (
            <li key={id}>
              <Checkbox
                size="xs"
                label={headerOf(id)}
                checked={!preferences.hidden.includes(id)}
                onChange={() => preferences.toggle(id)}
              />
              <span className={classes.grow} />
              <ActionIcon
                size={24}
                aria-label={say('moveUp', { name: headerOf(id) })}
                disabled={index === 0}
                onClick={() => preferences.move(id, -1)}
              >
                <Icon name="up" size={12} />
              </ActionIcon>
              <ActionIcon
                size={24}
                aria-label={say('moveDown', { name: headerOf(id) })}
                disabled={index === movable.length - 1}
                onClick={() => preferences.move(id, 1)}
              >
                <Icon name="down" size={12} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={say('density')}
          value={preferences.density}
          onChange={(value) => preferences.setDensity(value === 'compact' ? 'compact' : 'comfortable')}
          data={[
            { value: 'comfortable', label: say('comfortable') },
            { value: 'compact', label: say('compact') },
          ]}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
