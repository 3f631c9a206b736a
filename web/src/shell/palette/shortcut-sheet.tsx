import { Modal } from '@mantine/core'
import { useUiMessages } from '../../components/messages.ts'
import { useShellMessages } from '../messages.ts'
import { useReachable } from '../navigation.ts'
import { usePageTitle } from '../use-page-title.ts'
import { usePaletteMessages } from './palette-messages.ts'
import classes from './shortcut-sheet.module.css'

const Keys = ({ keys, text }: { keys: readonly string[]; text: string }) => (
  <div className={classes.line}>
    <dt>{text}</dt>
    <dd>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dd>
  </div>
)

export const ShortcutSheet = ({ onClose }: { onClose: () => void }) => {
  const shell = useShellMessages()
  const ui = useUiMessages()
  const titleOf = usePageTitle()
  const say = usePaletteMessages()
  const places = useReachable()
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{shell('shortcuts')}</strong>}
      size={640}
      closeButtonProps={{ 'aria-label': ui('close') }}
    >
      <div className={classes.columns}>
        <div>
          <h3>{say('everywhere')}</h3>
          <dl>
            <Keys keys={['Ctrl', 'K']} text={say('palette')} />
            <Keys keys={['?']} text={say('help')} />
            <Keys keys={['Ctrl', 'Enter']} text={say('save')} />
            <Keys keys={['Esc']} text={say('dismiss')} />
          </dl>
          <h3>{say('tables')}</h3>
          <dl>
            <Keys keys={['c']} text={say('create')} />
            <Keys keys={['/']} text={say('search')} />
            <Keys keys={['j', 'k']} text={say('move')} />
            <Keys keys={['Enter']} text={say('open')} />
            <Keys keys={['x']} text={say('select')} />
            <Keys keys={['Shift', say('click')]} text={say('range')} />
          </dl>
        </div>
        <div>
          <h3>{say('jumps')}</h3>
          <dl>
            {places.map(
              (place) =>
                place.shortcut !== undefined && (
                  <Keys key={place.path} keys={['g', place.shortcut]} text={titleOf(place)} />
                ),
            )}
          </dl>
        </div>
      </div>
    </Modal>
  )
}
