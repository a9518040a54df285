import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pngChunk, pngOf } from '../../../test/support/picture.ts'
import { Failure } from '../../kit/ground/errors.ts'
import { exifOf } from './exif.ts'
import { pictureIn as measured } from './picture.ts'

const types = ['image/png', 'image/jpeg', 'image/webp']

function refusal(bytes: Buffer): string {
  try {
    pictureIn(bytes, types, 'file')
  } catch (error) {
    assert.ok(error instanceof Failure && error.status === 400)
    return error.message
  }
  return ''
}

function segment(marker: number, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data as string, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes.length + 2, 2)
  return Buffer.concat([head, bytes])
}

/** EXIF of a picture that was taken lying on its side, and where. */
function exif(order: 'MM' | 'II'): Buffer {
  const isLittle = order === 'II'
  const tiff = Buffer.alloc(26)
  tiff.write(order, 'latin1')
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  short(42, 2)
  if (isLittle) tiff.writeUInt32LE(8, 4)
  else tiff.writeUInt32BE(8, 4)
  short(1, 8)
  short(0x0112, 10)
  short(3, 12)
  short(6, 18)
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('52.5N 13.4E')])
}

/** The same as other types have it: without its name. */
const sideways = (order: 'MM' | 'II') => exif(order).subarray(6)

function jpeg(...more: Buffer[]): Buffer {
  const pixels = Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...more,
    segment(0xdb, '\0'.repeat(65)),
    segment(0xc0, Buffer.from([8, 0, 30, 0, 40, 1, 1, 0x11, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    pixels,
    Buffer.from([0xff, 0xd9]),
  ])
}

function webp(...chunks: [name: string, data: Buffer][]): Buffer {
  const parts = chunks.flatMap(([name, data]) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(data.length, 4)
    return [head, data, Buffer.alloc(data.length % 2)]
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

/** A picture without its size. */
function pictureIn(...given: Parameters<typeof measured>) {
  const { type, content } = measured(...given)
  return { type, content }
}

test('a picture loses where and when it was taken, and stays the right way up', () => {
  const text = pngChunk('tEXt', Buffer.from('Comment\0at home, 52.5N 13.4E'))
  const plain = pngOf()
  const taken = Buffer.concat([
    plain.subarray(0, 33),
    text,
    plain.subarray(33),
    Buffer.from('52.5N'),
  ])
  assert.ok(pictureIn(taken, types, 'file').content.equals(plain))

  // whatever else programs write beside it, too
  const noted = Buffer.concat([
    plain.subarray(0, 33),
    pngChunk('prVt', Buffer.from('52.5N')),
    plain.subarray(33),
  ])
  assert.ok(pictureIn(noted, types, 'file').content.equals(plain))

  for (const order of ['MM', 'II'] as const) {
    const pngWith = (data: Buffer) =>
      Buffer.concat([plain.subarray(0, 33), pngChunk('eXIf', data), plain.subarray(33)])
    const turned = pictureIn(pngWith(sideways(order)), types, 'file').content
    assert.ok(turned.equals(pngWith(exifOf(6))))
    assert.ok(pictureIn(turned, types, 'file').content.equals(turned))
    const full = jpeg(segment(0xe1, exif(order)), segment(0xed, '52.5N'), segment(0xfe, '52.5N'))
    const { type, content } = pictureIn(Buffer.concat([full, Buffer.from('52.5N')]), types, 'file')
    assert.equal(type, 'image/jpeg')
    assert.doesNotMatch(content.toString('latin1'), /52\.5N/)
    // the tag 0x0112 with the value 6
    assert.match(content.toString('hex'), /^ffd8ffe1.*01120003000000010006/)
    // sent once more it stays as it is
    assert.ok(pictureIn(content, types, 'file').content.equals(content))
  }
  const profile = segment(0xe2, 'ICC_PROFILE\0sRGB')
  assert.ok(pictureIn(jpeg(profile), types, 'file').content.equals(jpeg(profile)))

  const extended = (flags: number) => Buffer.from([flags, 0, 0, 0, 39, 0, 0, 29, 0, 0])
  const pixels = Buffer.from('2f27401d00', 'hex')
  const whole = webp(['VP8X', extended(0x1c)], ['VP8L', pixels], ['EXIF', exifOf(1)])
  const clean = webp(['VP8X', extended(0x10)], ['VP8L', pixels])
  assert.deepEqual(pictureIn(whole, types, 'file'), {
    type: 'image/webp',
    content: clean,
  })
  const lying = webp(['VP8X', extended(0x1c)], ['VP8L', pixels], ['EXIF', sideways('II')])
  const kept = pictureIn(lying, types, 'file').content
  assert.ok(kept.equals(webp(['VP8X', extended(0x18)], ['VP8L', pixels], ['EXIF', exifOf(6)])))
  assert.ok(pictureIn(kept, types, 'file').content.equals(kept))
  const other = webp(['VP8L', pixels], ['META', Buffer.from('52.5N ')])
  const bare = webp(['VP8L', pixels])
  assert.deepEqual(pictureIn(other, types, 'file'), { type: 'image/webp', content: bare })

  const blocks = (...data: string[]) =>
    Buffer.concat([
      ...data.map((each) => Buffer.from(`${String.fromCharCode(each.length)}${each}`, 'latin1')),
      Buffer.from([0]),
    ])
  const extension = (label: number, ...data: string[]) =>
    Buffer.concat([Buffer.from([0x21, label]), blocks(...data)])
  const gif = (...extensions: Buffer[]) =>
    Buffer.concat([
      Buffer.from('47494638396101000100800000000000ffffff', 'hex'),
      ...extensions,
      Buffer.from('2c00000000010001000002024401003b', 'hex'),
    ])
  const loop = extension(0xff, 'NETSCAPE2.0', '\x01\0\0')
  const timed = extension(0xf9, '\0\x0a\0\0')
  const named = gif(
    extension(0xfe, '52.5N'),
    loop,
    extension(0xff, 'XMP DataXMP', '<x>52.5N</x>'),
    timed,
  )
  const shown = pictureIn(Buffer.concat([named, Buffer.from('52.5N')]), ['image/gif'], 'file')
  assert.deepEqual(shown, { type: 'image/gif', content: gif(loop, timed) })
})

test('what is damaged, breaks off or is too large to be looked at is no picture', () => {
  assert.equal(refusal(Buffer.from('<svg/>')), 'file: must be a PNG, JPEG or WebP picture')
  assert.equal(refusal(Buffer.from('GIF89a')), 'file: must be a PNG, JPEG or WebP picture')
  const whole = [pngOf(), jpeg(), webp(['VP8L', Buffer.from('2f27401d00', 'hex')])]
  for (const bytes of whole) {
    assert.equal(refusal(bytes), '')
    for (let length = 12; length < bytes.length - 1; length++) {
      assert.match(refusal(bytes.subarray(0, length)), /damaged/, `${length} of ${bytes.length}`)
    }
  }
  assert.match(refusal(pngOf(30_000, 30_000)), /30000 × 30000 pixels: at most 25 million/)
  assert.match(refusal(pngOf(0, 1)), /damaged/)
})
