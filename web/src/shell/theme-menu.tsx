import { ActionIcon, Menu } from '@mantine/core'
import { Icon, type IconName } from '../components/icon.tsx'
import { setThemeMode, type ThemeMode, useScheme, useThemeMode } from '../lib/theme-mode.ts'
import { type ShellWord, useShellWords } from './messages.ts'

export const themeModes: readonly { value: ThemeMode; word: ShellWord; icon: IconName }[] = [
  { value: 'system', word: 'themeSystem', icon: 'monitor' },
  { value: 'light', word: 'themeLight', icon: 'sun' },
  { value: 'dark', word: 'themeDark', icon: 'moon' },
]

export const ThemeMenu = () => {
  const say = useShellWords()
  const mode = useThemeMode()
  const scheme = useScheme()
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon size={36} aria-label={say('theme')}>
          <Icon name={scheme === 'dark' ? 'moon' : 'sun'} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {themeModes.map((entry) => (
          <Menu.Item
            key={entry.value}
            leftSection={<Icon name={entry.icon} size={14} />}
            rightSection={entry.value === mode && <Icon name="check" size={14} />}
            aria-current={entry.value === mode}
            onClick={() => setThemeMode(entry.value)}
          >
            {say(entry.word)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
