import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { Icon } from '../display/icon.tsx'
import { useProviderMessages } from './messages.ts'
import { longestMetadata, readSamlMetadata } from './saml-metadata.ts'

type Found = NonNullable<ReturnType<typeof readSamlMetadata>>

/** Takes the metadata of a SAML provider, pasted or from a file, and fills in what it says. */
export const MetadataField = ({ onRead }: { onRead: (found: Found) => void }) => {
  const say = useProviderMessages()
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const found = text.trim() === '' ? undefined : readSamlMetadata(text)
  const take = (next: string): void => {
    setText(next)
    const read = readSamlMetadata(next)
    if (read) onRead(read)
  }
  return (
    <>
      <Textarea
        label={say('metadata')}
        description={found ? say('metadataRead', { issuer: found.issuer }) : say('metadataHint')}
        error={text.trim() !== '' && !found && say('metadataWrong')}
        rows={2}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={text}
        onChange={(event) => take(event.currentTarget.value)}
      />
      <div>
        <input
          ref={picker}
          type="file"
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          aria-label={say('metadataFile')}
          hidden
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            event.currentTarget.value = ''
            // One character more than is taken, so that a longer file is refused, not cut.
            if (chosen)
              void chosen
                .slice(0, longestMetadata + 1)
                .text()
                .then(take)
          }}
        />
        <Button leftSection={<Icon name="document" size={14} />} onClick={() => picker.current?.click()}>
          {say('metadataFile')}
        </Button>
      </div>
    </>
  )
}
