/** So many seconds of silence, as a WAV file. */
export const silence = (seconds: number): File => {
  const rate = 8000
  const data = Buffer.alloc(44 + rate * seconds)
  data.write('RIFF', 0)
  data.writeUInt32LE(36 + rate * seconds, 4)
  data.write('WAVEfmt ', 8)
  data.writeUInt32LE(16, 16)
  data.writeUInt16LE(1, 20)
  data.writeUInt16LE(1, 22)
  data.writeUInt32LE(rate, 24)
  data.writeUInt32LE(rate, 28)
  data.writeUInt16LE(1, 32)
  data.writeUInt16LE(8, 34)
  data.write('data', 36)
  data.writeUInt32LE(rate * seconds, 40)
  return new File([data], 'a.wav', { type: 'audio/wav' })
}
