import { Button } from '@mantine/core'
import { useSettingMessages } from '../messages.ts'
import classes from '../settings.module.css'
import { useSettings } from '../settings-state.ts'

/** Says at the lower edge how much is not saved yet, and saves all of it. */
export const SaveBar = ({ busy, onSave }: { busy: boolean; onSave: () => void }) => {
  const say = useSettingMessages()
  const settings = useSettings()
  const count = settings.changed.length
  if (count === 0) return null
  return (
    <div className={classes.bar} role="status">
      <span>{say('unsavedBar', { count })}</span>
      <Button onClick={() => settings.discard(settings.changed)} disabled={busy}>
        {say('discardAll')}
      </Button>
      <Button variant="filled" loading={busy} onClick={onSave}>
        {say('saveAll')}
      </Button>
    </div>
  )
}
