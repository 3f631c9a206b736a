import { Button } from '@mantine/core'
import { CopyDialog, useCopy } from '#web/components/copy/copy-text.tsx'
import { printRows, saveFile } from '#web/components/data-table/export/export-rows.ts'
import { Sheet } from '#web/components/sheet.tsx'
import { keyColumns, saveKeyText } from './keys.ts'
import { useRedemptionMessages } from './messages.ts'
import classes from './redemptions.module.css'

/** The codes that were made. */
export interface Created {
  readonly name: string
  readonly keys: readonly string[]
}

/** New codes, ready to be copied and downloaded. */
export const SuccessSheet = ({ created, onClose }: { created: Created; onClose: () => void }) => {
  const say = useRedemptionMessages()
  const { copy, byHand } = useCopy()
  const { name, keys } = created
  const saveCsv = (): void => {
    const rows = keys.map((key) => ({ name, key }))
    saveFile(name, printRows(rows, keyColumns(say), 'csv'), 'csv')
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('successTitle')}
      subtitle={name}
      footer={
        <>
          <Button onClick={() => saveKeyText(name, keys)}>{say('downloadText')}</Button>
          <Button onClick={saveCsv}>{say('downloadCsv')}</Button>
          <Button variant="filled" onClick={onClose} ml="auto">
            {say('done')}
          </Button>
        </>
      }
    >
      <div className={classes.success}>
        <p className="muted">{say('successText', { count: keys.length })}</p>
        <ul className={classes.keys}>
          {keys.map((key) => (
            <li key={key} className="mono">
              {key}
            </li>
          ))}
        </ul>
        <div>
          <Button onClick={() => void copy(keys.join('\n'), { secret: true })}>{say('copyAll')}</Button>
        </div>
      </div>
      <CopyDialog {...byHand} />
    </Sheet>
  )
}
