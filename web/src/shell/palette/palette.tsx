import { Modal } from '@mantine/core'
import { useNavigate, useRouter } from '@tanstack/react-router'
import type { StaffArea } from '@tollgate/contract/accounts/permissions'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { languages, setLanguage } from '../../lib/i18n.ts'
import { useOpenFirstSteps } from '../../lib/open-first-steps.ts'
import { setThemeMode } from '../../lib/preferences/theme-mode.ts'
import { useLogout } from '../header/avatar-menu.tsx'
import { themeModes } from '../header/theme-menu.tsx'
import { useShellMessages } from '../messages.ts'
import { loginPage } from '../pages.ts'
import { usePageTitle } from '../use-page-title.ts'
import type { Command } from './command.ts'
import { openShortcutSheet } from './opened.ts'
import classes from './palette.module.css'
import { useFinds } from './palette-find.ts'
import { usePaletteMessages } from './palette-messages.ts'
import { useReachable } from './reachable.ts'

const creations = [
  { path: '/token', search: { add: '1' }, word: 'addToken' },
  { path: '/channel/add', search: {}, word: 'addChannel', area: 'channels' },
  { path: '/user/edit', search: {}, word: 'addUser', area: 'users' },
] as const satisfies readonly { path: string; search: object; word: string; area?: StaffArea }[]

const useCommands = (): readonly Command[] => {
  const shell = useShellMessages()
  const titleOf = usePageTitle()
  const say = usePaletteMessages()
  const navigate = useNavigate()
  const routes = useRouter().routesByPath
  const user = useSession()
  const logout = useLogout()
  const openGuide = useOpenFirstSteps()
  const places = useReachable()
  const mayTest = mayWrite(user, 'channels')
  const go = (path: string) => (): void => void navigate({ to: path as '/' })
  return [
    ...places.map((place) => ({
      id: place.path,
      label: titleOf(place),
      icon: place.icon,
      hint: `g ${place.shortcut}`,
      run: go(place.path),
    })),
    ...creations
      .filter(
        ({ path, ...rest }) => path in routes && ('area' in rest ? mayWrite(user, rest.area) : user !== undefined),
      )
      .map(({ path, search, word }) => ({
        id: word,
        label: say(word),
        icon: 'plus' as const,
        run: () => void navigate({ to: path as '/', search }),
      })),
    ...(mayTest
      ? [
          {
            id: 'test',
            label: say('testChannel'),
            icon: 'send' as const,
            fill: say('testFill'),
            run: () => undefined,
          },
        ]
      : []),
    ...themeModes.map((mode) => ({
      id: `theme:${mode.value}`,
      label: say('themeTo', { name: shell(mode.word) }),
      icon: mode.icon,
      run: () => setThemeMode(mode.value),
    })),
    ...languages.map((language) => ({
      id: `language:${language.value}`,
      label: say('languageTo', { name: language.label }),
      icon: 'chat' as const,
      run: () => setLanguage(language.value),
    })),
    ...(user && '/token' in routes
      ? [{ id: 'guide', label: say('guide'), icon: 'info' as const, run: openGuide }]
      : []),
    {
      id: 'shortcuts',
      label: shell('shortcuts'),
      icon: 'keyboard',
      hint: '?',
      run: () => setTimeout(openShortcutSheet),
    },
    ...(user
      ? [{ id: 'logout', label: shell('logout'), icon: 'logout' as const, run: () => void logout() }]
      : [{ id: 'login', label: titleOf(loginPage), icon: 'user' as const, run: go('/login') }]),
  ]
}

/** Go anywhere and do the common things by typing a few letters. */
export const Palette = ({ onClose }: { onClose: () => void }) => {
  const shell = useShellMessages()
  const say = usePaletteMessages()
  const commands = useCommands()
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<string>()
  const needle = wanted.trim().toLowerCase()
  const finds = useFinds(wanted.trim())
  const found = [
    // A command whose text is typed already is not offered again.
    ...commands.filter(
      (command) =>
        command.fill?.trim() !== wanted.trim() && `${command.label} ${command.id}`.toLowerCase().includes(needle),
    ),
    ...finds,
  ]
  // The choice is kept by id: results that arrive later must not move it.
  const current = Math.max(
    0,
    found.findIndex(({ id }) => id === chosen),
  )
  const type = (text: string): void => {
    setWanted(text)
    setChosen(undefined)
  }
  const run = (command: Command | undefined): void => {
    if (!command) return
    if (command.fill !== undefined) type(command.fill)
    else {
      onClose()
      command.run()
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setChosen(found[(current + by + found.length) % Math.max(1, found.length)]?.id)
    else if (event.key === 'Enter') run(found[current])
    else return
    event.preventDefault()
  }
  return (
    <Modal.Root opened onClose={onClose} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={say('title')}>
        <input
          className={classes.input}
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[current] ? `palette-${current}` : undefined}
          aria-label={shell('find')}
          placeholder={shell('find')}
          value={wanted}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div id="palette-list" role="listbox" aria-label={say('title')} className={classes.list}>
          {found.map((command, index) => (
            <div
              key={command.id}
              id={`palette-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              className={classes.item}
              // The input keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setChosen(command.id)}
              onClick={() => run(command)}
              onKeyDown={onKeyDown}
              ref={(element) => {
                if (index === current) element?.scrollIntoView?.({ block: 'nearest' })
              }}
            >
              <Icon name={command.icon} size={15} />
              <span>{command.label}</span>
              {command.hint && <kbd>{command.hint}</kbd>}
            </div>
          ))}
          {found.length === 0 && <p className={classes.nothing}>{say('nothing')}</p>}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
