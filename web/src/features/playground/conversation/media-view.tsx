import classes from '../calls/calls.module.css'
import { usePlaygroundMessages } from '../messages.ts'

/** The ending of a file's name by the type in a data address; undefined for other addresses. */
const endingOf = (address: string): string | undefined => {
  const kind = /^data:(?:image|audio)\/(\w+)/.exec(address)?.[1]
  return kind === 'jpeg' ? 'jpg' : kind === 'mpeg' ? 'mp3' : kind
}

/** Link of a picture: browsers open no page from data, so a picture that came as data is downloaded. */
const pictureLink = (address: string, number: number) => {
  const ending = endingOf(address)
  return ending === undefined
    ? { target: '_blank', rel: 'noopener noreferrer' }
    : { download: `image-${number}.${ending}` }
}

/** Pictures that came with a message, each with a link that saves it, or opens it where it stands on another site. */
export const Pictures = ({ images }: { images: readonly string[] }) => {
  const say = usePlaygroundMessages()
  return (
    <div className={classes.pictures}>
      {images.map((address, index) => {
        const number = index + 1
        return (
          <a key={address} href={address} {...pictureLink(address, number)} className={classes.picture}>
            <img src={address} alt={say('imageOf', { number })} />
            <span>{say(endingOf(address) === undefined ? 'openImage' : 'download')}</span>
          </a>
        )
      })}
    </div>
  )
}

/** Spoken sound with the browser's own controls, and a link that saves it. */
export const Sound = ({ address }: { address: string }) => {
  const say = usePlaygroundMessages()
  return (
    <div className={classes.sound}>
      {/* biome-ignore lint/a11y/useMediaCaption: the question above is the text of what is spoken */}
      <audio controls src={address} aria-label={say('sound')} />
      <a href={address} download={`speech.${endingOf(address) ?? 'mp3'}`}>
        {say('download')}
      </a>
    </div>
  )
}
