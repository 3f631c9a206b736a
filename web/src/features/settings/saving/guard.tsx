import { UnsavedGuard } from '../../../components/form/unsaved-guard.tsx'
import { useSettingMessages } from '../messages.ts'
import { tabOf } from '../registry.ts'

/** Edits belong to a tab: another one loses them, too. */
export const SettingsGuard = ({ count, onDiscard }: { count: number; onDiscard: () => void }) => {
  const say = useSettingMessages()
  return (
    <UnsavedGuard
      dirty={count > 0}
      loses={(from, to) => from.pathname !== to.pathname || tabOf(from.search) !== tabOf(to.search)}
      onDiscard={onDiscard}
      title={say('guardTitle')}
      text={say('guardText', { count })}
    />
  )
}
