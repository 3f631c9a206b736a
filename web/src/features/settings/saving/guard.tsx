import { UnsavedGuard } from '../../../components/form/unsaved-guard.tsx'
import { useSettingMessages } from '../messages.ts'

/** Edits go along from one section to another; leaving the settings loses them. */
export const SettingsGuard = ({ count, onDiscard }: { count: number; onDiscard: () => void }) => {
  const say = useSettingMessages()
  return (
    <UnsavedGuard
      dirty={count > 0}
      loses={(from, to) => from.pathname.split('/')[1] !== to.pathname.split('/')[1]}
      onDiscard={onDiscard}
      title={say('guardTitle')}
      text={say('guardText', { count })}
    />
  )
}
