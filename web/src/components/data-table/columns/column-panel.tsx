import { Button, SegmentedControl } from '@mantine/core'
import type { TablePreferences } from '../preferences.ts'
import type { Column } from './column.ts'
import { ColumnList } from './column-list.tsx'
import { useColumnMessages } from './column-messages.ts'
import classes from './columns.module.css'

export interface ColumnPanelProps<Row> {
  columns: readonly Column<Row>[]
  preferences: TablePreferences
  onTry: TablePreferences['tryOut']
  onCancel: () => void
  onDone: () => void
}

/** The content of the column manager. */
export const ColumnPanel = <Row,>({ columns, preferences, onTry, onCancel, onDone }: ColumnPanelProps<Row>) => {
  const say = useColumnMessages()
  const { layout } = preferences
  return (
    <>
      <div className={classes.head}>
        <strong className="strong">{say('title')}</strong>
        <button type="button" className="text-button" onClick={() => onTry(preferences.own)}>
          {say('reset')}
        </button>
      </div>
      <ColumnList columns={columns} layout={layout} onChange={onTry} />
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={say('density')}
        value={layout.density}
        onChange={(value) => onTry({ ...layout, density: value === 'compact' ? 'compact' : 'comfortable' })}
        data={[
          { value: 'comfortable', label: say('comfortable') },
          { value: 'compact', label: say('compact') },
        ]}
      />
      <div className={classes.foot}>
        <Button onClick={onCancel}>{say('cancel')}</Button>
        <Button variant="filled" onClick={onDone}>
          {say('done')}
        </Button>
      </div>
    </>
  )
}
