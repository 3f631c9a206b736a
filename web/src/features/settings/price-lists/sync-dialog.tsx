import { Button, Group, Modal, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { Failure } from '../../../components/form/failure.tsx'
import { calls, type PriceProposal, type PriceSourceName } from '../../../lib/api/contract.ts'
import { notifyInfo } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { usePriceListMessages } from './messages.ts'
import classes from './price-lists.module.css'

/** Pieces in which bytes become text, far below the number of arguments that a call takes. */
const piece = 32_768

/** A file as the server takes it: deflated and in base64, since price lists have megabytes. */
const packedFile = async (file: Blob): Promise<string> => {
  const deflated = new Response(file.stream().pipeThrough(new CompressionStream('deflate-raw')))
  const bytes = new Uint8Array(await deflated.arrayBuffer())
  let text = ''
  for (let from = 0; from < bytes.length; from += piece)
    text += String.fromCharCode(...bytes.subarray(from, from + piece))
  return btoa(text)
}

const sources = [
  'catalogue',
  'litellm',
  'models_dev',
  'openrouter',
  'panel',
  'shipped',
] as const satisfies readonly PriceSourceName[]
type Choice = PriceSourceName | 'file'

interface SyncDialogProps {
  onClose: () => void
  /** Opens what differs. */
  onFound: (version: number) => void
}

/** Chooses a source or a file, and compares the prices in force with it. */
export const SyncDialog = ({ onClose, onFound }: SyncDialogProps) => {
  const say = usePriceListMessages()
  const [source, setSource] = useState<Choice>('catalogue')
  const [address, setAddress] = useState('')
  const [file, setFile] = useState<File>()
  const picker = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const finish = ({ id, read, changes, held }: PriceProposal): void => {
    onClose()
    notifyInfo(changes === 0 ? say('same', { read }) : say('found', { changes, held }))
    if (id !== 0) onFound(id)
  }
  const options = { refresh: [calls.listPriceVersions], onDone: finish }
  const sync = useAction(calls.syncPrices, options)
  const upload = useAction(calls.uploadPrices, options)
  const problemNow = (): string | undefined => {
    if (source === 'file') return file === undefined ? say('wantsFile') : undefined
    return source === 'panel' && address.trim() === '' ? say('wantsAddress') : undefined
  }
  const compare = async (): Promise<void> => {
    if (source !== 'file') {
      const typed = address.trim()
      await sync.submit({ body: { source, ...(typed === '' ? {} : { address: typed }) } })
    } else if (file !== undefined) await upload.submit({ body: { name: file.name, packed: await packedFile(file) } })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = problemNow()
    setProblem(found)
    // The failure is shown under the fields.
    if (found === undefined) compare().catch(() => undefined)
  }
  const error = sync.error ?? upload.error
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={<strong className="strong">{say('syncTitle')}</strong>}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className="muted">{say('syncText')}</p>
        <NativeSelect
          label={say('source')}
          value={source}
          onChange={(event) => setSource(event.currentTarget.value as Choice)}
          data={[...sources, 'file' as const].map((value) => ({ value, label: say(`source_${value}`) }))}
        />
        {source === 'file' && (
          <div className={classes.file}>
            <input
              ref={picker}
              type="file"
              accept=".json,application/json"
              aria-label={say('source_file')}
              hidden
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
            <Button leftSection={<Icon name="document" size={14} />} onClick={() => picker.current?.click()}>
              {say('wantsFile')}
            </Button>
            <span>{file === undefined ? say('file') : file.name}</span>
          </div>
        )}
        {source !== 'file' && source !== 'shipped' && (
          <TextInput
            label={say('address')}
            description={say(source === 'panel' ? 'panelHint' : 'addressHint')}
            value={address}
            inputMode="url"
            autoComplete="off"
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        {problem !== undefined && (
          <p className={classes.error} role="alert">
            {problem}
          </p>
        )}
        {error && <Failure error={error} />}
        <Group justify="flex-end" gap={8}>
          <Button onClick={onClose}>{say('cancel')}</Button>
          <Button type="submit" variant="filled" loading={sync.busy || upload.busy}>
            {say('compare')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
