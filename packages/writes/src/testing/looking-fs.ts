import { diskWriteFs, type WriteFs, type WriteHandle } from '@grove/core';

/** The disk, with a look before each change: `look` gets the number of the call, from 1, and its name. */
export function lookingFs(look: (count: number, name: string, path: string) => void): WriteFs {
  let count = 0;
  const seen = (name: string, path: string) => {
    count += 1;
    look(count, name, path);
  };
  const handle = (opened: WriteHandle, path: string): WriteHandle => ({
    ...opened,
    write: async (bytes) => {
      seen('write', path);
      return opened.write(bytes);
    },
    sync: async () => {
      seen('sync', path);
      return opened.sync();
    },
  });
  return {
    create: async (path, mode) => {
      seen('create', path);
      return handle(await diskWriteFs.create(path, mode), path);
    },
    append: async (path, mode) => {
      seen('append', path);
      return handle(await diskWriteFs.append(path, mode), path);
    },
    sync: async (path) => {
      seen('sync', path);
      return diskWriteFs.sync(path);
    },
    mkdir: async (path) => {
      seen('mkdir', path);
      return diskWriteFs.mkdir(path);
    },
    link: async (from, to) => {
      seen('link', to);
      return diskWriteFs.link(from, to);
    },
    rename: async (from, to) => {
      seen('rename', to);
      return diskWriteFs.rename(from, to);
    },
    unlink: async (path) => {
      seen('unlink', path);
      return diskWriteFs.unlink(path);
    },
    rmdir: async (path) => {
      seen('rmdir', path);
      return diskWriteFs.rmdir(path);
    },
    utimes: (path, accessed, modified) => diskWriteFs.utimes(path, accessed, modified),
    chmod: (path, mode) => diskWriteFs.chmod(path, mode),
  };
}
