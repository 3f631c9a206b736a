import { Button } from '@mantine/core'
import { CopyDialog, useCopy } from '../../../components/copy/copy-text.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import classes from './security.module.css'
import { useSecurityMessages } from './security-messages.ts'

const downloadText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

/** Recovery codes, once: to be copied or kept as a file. */
export const RecoveryCodesSheet = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => {
  const say = useSecurityMessages()
  const { copy, byHand } = useCopy()
  const text = `${codes.join('\n')}\n`
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('codesTitle')}
      footer={
        <>
          <span className={classes.grow} />
          <Button variant="filled" onClick={onClose}>
            {say('saved')}
          </Button>
        </>
      }
    >
      <div className={classes.setup}>
        <p className="muted">{say('codesText')}</p>
        <ul className={classes.codes}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={classes.line}>
          <Button leftSection={<Icon name="copy" size={14} />} onClick={() => void copy(text, { secret: true })}>
            {say('copyCodes')}
          </Button>
          <Button leftSection={<Icon name="download" size={14} />} onClick={() => downloadText(say('fileName'), text)}>
            {say('download')}
          </Button>
        </div>
        <CopyDialog {...byHand} />
      </div>
    </Sheet>
  )
}
