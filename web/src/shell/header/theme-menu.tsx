import { ActionIcon } from '@mantine/core'
import { Icon, type IconName } from '../../components/display/icon.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import { setThemeMode, type ThemeMode, useScheme, useThemeMode } from '../../lib/preferences/theme-mode.ts'
import { type ShellWord, useShellMessages } from '../messages.ts'

export const themeModes: readonly { value: ThemeMode; word: ShellWord; icon: IconName }[] = [
  { value: 'system', word: 'themeSystem', icon: 'monitor' },
  { value: 'light', word: 'themeLight', icon: 'sun' },
  { value: 'dark', word: 'themeDark', icon: 'moon' },
]

export const ThemeMenu = () => {
  const say = useShellMessages()
  const mode = useThemeMode()
  const scheme = useScheme()
  return (
    <Menu
      button={(buttonProps) => (
        <ActionIcon size={36} aria-label={say('theme')} {...buttonProps}>
          <Icon name={scheme === 'dark' ? 'moon' : 'sun'} />
        </ActionIcon>
      )}
      entries={() =>
        themeModes.map(({ value, word, icon }) => ({
          label: say(word),
          icon,
          current: value === mode,
          onClick: () => setThemeMode(value),
        }))
      }
    />
  )
}
