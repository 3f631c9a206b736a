import { useLanguage } from '../../lib/i18n.ts'
import { useSettingWords } from './messages.ts'
import { type Key, optionOf } from './registry.ts'
import { useSettings } from './settings-state.ts'

/** What every control of an option needs: its words, its text and where an edit goes. */
export const useControl = (key: Key) => {
  const say = useSettingWords()
  const language = useLanguage()
  const settings = useSettings()
  const option = optionOf(key)
  const writable = settings.canWrite(key)
  return {
    say,
    option,
    label: option.label[language],
    help: option.help?.[language],
    text: settings.text(key),
    error: settings.problem(key),
    writable,
    edit: (text: string | undefined): void => settings.edit(key, text),
    /** The field was left. */
    leave: (): void => settings.check([key]),
    language,
    settings,
  }
}
